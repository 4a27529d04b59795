// What run.mjs does to the browser when a page asks for it with `driver(action, options)`, see driver.mjs. All of it
// goes by the DevTools protocol.

const ONLINE = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

const actions = {
  /**
   * Freezes the page for so many real milliseconds, as a browser does with a tab long hidden. A frozen page cannot say
   * when it has had enough: hence the time.
   */
  async freeze(driver, { ms }) {
    await driver.sendDevToolsCommand('Page.setWebLifecycleState', { state: 'frozen' });
    await driver.sleep(ms);
    await driver.sendDevToolsCommand('Page.setWebLifecycleState', { state: 'active' });
    await inFront(driver); // freezing has hidden it, and a hidden page's timers are late
  },

  /** Cuts the page's network until `online`. */
  async offline(driver) {
    await driver.sendDevToolsCommand('Network.enable');
    await driver.sendDevToolsCommand('Network.emulateNetworkConditions', { ...ONLINE, offline: true });
  },

  async online(driver) {
    await driver.sendDevToolsCommand('Network.emulateNetworkConditions', ONLINE);
  },
};

/** Only another tab, that is closed again, makes a browser without a screen show the page once more. */
async function inFront(driver) {
  const page = await driver.getWindowHandle();
  await driver.switchTo().newWindow('tab');
  await driver.close();
  await driver.switchTo().window(page);
}

/** Does it, and answers the page. */
export async function perform(driver, { number, action, options }) {
  let failure = null;
  try {
    await actions[action](driver, options);
  } catch (error) {
    failure = `${action}: ${error.message}`;
  }
  await driver.executeScript('window.answerWish(...arguments)', number, failure);
}
