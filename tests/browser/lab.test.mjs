// The lab page, used as a visitor would: every button pressed, and what the page claims held against the server's log.

import { expect } from '/node_modules/chai/index.js';
import { SCENES } from '/www/lab/scenes/index.js';

const ORDERS = 3; // in the list when a scene begins

describe('the lab page', () => {
  let frame, page;
  const part = (id) => page.getElementById(id);
  const state = () => part('stage').dataset.state;

  before(async () => {
    frame = document.createElement('iframe');
    Object.assign(frame, { src: '/www/index.html', title: 'the lab' });
    Object.assign(frame.style, { width: '1200px', height: '900px' });
    document.body.append(frame);
    await until(() => frame.contentDocument.body?.dataset.ready);
    page = frame.contentDocument;
  });

  after(() => frame.remove());

  function press(scene) {
    page.querySelector(`#scenes [data-scene="${scene.id}"]`).click();
    expect(part('stage').dataset.scene, 'the scene on stage').to.equal(scene.id);
  }

  /** What the page shows after the run, and the server's accounts fetched anew. */
  async function finished() {
    await until(() => state() === 'done' || state() === 'failed');
    expect(state(), part('status').textContent).to.equal('done');
    const broken = [...page.querySelectorAll('#checks [data-ok="false"]')].map((line) => line.textContent);
    expect(broken, 'claims of the page that are not so').to.deep.equal([]);
    const scopes = part('stage').dataset.scopes.split(',');
    const accounts = await Promise.all(scopes.map(async (scope) => (await fetch(`/control/${scope}`)).json()));
    const infos = [JSON.parse(part('call-info').textContent)].flat();
    return { info: infos[0], infos, accounts };
  }

  function expectOutcome(account, outcome) {
    expect(account.seen, 'requests at the server').to.equal(outcome.requests);
    if (outcome.itemsAdded !== undefined) expect(account.lists.Orders.count - ORDERS, 'new items').to.equal(outcome.itemsAdded);
    if (outcome.modelCalls !== undefined) expect(account.modelCalls, 'model calls').to.equal(outcome.modelCalls);
  }

  function expectDrawn(infos, scene) {
    const [info] = infos;
    const drawn = [...part('rows').children].filter((row) => row.dataset.kind === 'attempt');
    const statuses = drawn.map((row) => row.querySelector('.status').textContent.split(' ')[0]);
    expect(statuses).to.deep.equal(infos.flatMap(({ attempts }) => attempts).map(({ status, error }) => `${status ?? error}`));
    expect(part('rows').classList.contains('has-deadline'), 'a line for the deadline').to.equal(/timeout:/.test(scene.call));
    expect(part('stop').textContent).to.equal(info.stop);
    expect(part('explain').textContent).to.match(/^[A-Z].*\.$/);
  }

  for (const scene of SCENES) {
    it(`plays “${scene.title}” as it says, by the server's log`, async () => {
      press(scene);
      if (scene.cancellable) {
        await until(() => part('rows').querySelector('[data-kind="wait"]'));
        part('cancel').click();
      }
      const { info, infos, accounts: [ours, helper] } = await finished();
      expect(info.stop).to.equal(scene.outcome.stop);
      expectOutcome(ours, scene.outcome);
      expectDrawn(infos, scene);
      expect(Boolean(helper), 'a helper to compare with').to.equal(Boolean(scene.compare));
      if (helper) expectOutcome(helper, scene.compare);
    });
  }

  it('lets Escape cancel, too', async () => {
    press(SCENES.find(({ cancellable }) => cancellable));
    await until(() => part('rows').querySelector('[data-kind="wait"]'));
    page.dispatchEvent(new frame.contentWindow.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect((await finished()).info.stop).to.equal('aborted');
  });

  it('keeps the focus when Run and Cancel change places', async () => {
    part('run').focus();
    part('run').click();
    expect(page.activeElement).to.equal(part('cancel'));
    await until(() => part('rows').querySelector('[data-kind="wait"]'));
    part('cancel').click();
    await finished();
    expect(page.activeElement).to.equal(part('run'));
  });

  it('waits out what nobody cancels', async () => {
    const scene = SCENES.find(({ cancellable }) => cancellable);
    press(scene);
    const { info, accounts: [ours] } = await finished();
    expect(info.stop).to.equal(scene.outcomeIfLeftAlone.stop);
    expectOutcome(ours, scene.outcomeIfLeftAlone);
  });

  it('forgets a run that another scene has overtaken', async () => {
    const [first, second] = [SCENES.find(({ id }) => id === 'throttled-read'), SCENES.find(({ id }) => id === 'login')];
    const asked = () => frame.contentWindow.performance.getEntriesByType('resource').filter(({ name }) => name.includes(`/control/lab-${first.id}-`));
    const before = asked().length;
    press(first);
    press(second);
    await finished();
    await until(() => asked().length >= before + 3); // its script, its log before, and its log at the end
    await nextFrame();
    expect(part('stage').dataset.scopes).to.match(/^lab-login-/);
    expect(JSON.parse(part('call-info').textContent).page).to.equal('login');
  });

  it('fits a phone', async () => {
    frame.style.width = '390px';
    for (const scene of SCENES.filter(({ compare }) => compare)) {
      press(scene);
      await finished();
      expect(page.documentElement.scrollWidth, scene.title).to.be.at.most(390);
    }
  });

  it('needs nothing from anywhere else', () => {
    const hosts = frame.contentWindow.performance.getEntriesByType('resource').map(({ name }) => new URL(name).hostname);
    expect(hosts.length).to.be.above(10);
    expect(new Set(hosts)).to.deep.equal(new Set([location.hostname]));
  });
});

/** Looks once a frame; mocha's time limit ends it. */
async function until(condition) {
  while (!condition()) await nextFrame();
}

const nextFrame = () => new Promise(requestAnimationFrame);
