// What the page of a bench holds after a full garbage collection, in bytes, as the browser tells its driver: `js` is the heap
// of JavaScript; `native` is what the browser's own objects take, such as signals and answers.
//
// Chromium tells by the DevTools protocol; there `native` is the heap of the DOM and what buffers hold. Firefox has no such
// command: code of the browser's own leaves a function in each page. There `js` is the page's objects and strings, without
// code, shapes and unused room, which come and go by the megabyte, and with the memory of wasm (`wasmIncluded`); `native` is all
// that is allocated in the page's process.

/** What one collection has found out of use lets go of more in a later task. */
const COLLECTIONS = 3;

export const heaps = {
  chromium: {
    async prepare() {},
    async look(driver) {
      for (let n = 0; n < COLLECTIONS; n++) await driver.sendDevToolsCommand('HeapProfiler.collectGarbage');
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await driver.sendAndGetDevToolsCommand('Runtime.getHeapUsage');
      return { js: usedSize, native: embedderHeapUsedSize + backingStorageSize, wasmIncluded: false };
    },
  },
  firefox: {
    async prepare(driver) {
      await driver.setContext('chrome');
      const script = `data:,(${encodeURIComponent(inEachPage)})()`;
      await driver.executeScript('Services.mm.loadFrameScript(arguments[0], true)', script);
      await driver.setContext('content');
    },
    async look(driver) {
      for (let n = 1; n < COLLECTIONS; n++) await driver.executeScript('window.collectAndLook()');
      return driver.executeScript('return JSON.parse(window.collectAndLook())');
    },
  },
};

/** Runs in Firefox, as a part of it. */
const inEachPage = `() => {
  const { classes, interfaces, utils } = Components;
  const memory = classes['@mozilla.org/memory-reporter-manager;1'].getService(interfaces.nsIMemoryReporterManager);
  const leave = ({ target: { defaultView: page } }) => {
    const collectAndLook = () => {
      utils.forceGC();
      utils.forceCC();
      const [objects, strings, ...others] = Array.from({ length: 9 }, () => ({}));
      memory.sizeOfTab(page, objects, strings, ...others);
      return JSON.stringify({ js: objects.value + strings.value, native: memory.heapAllocated, wasmIncluded: true });
    };
    utils.exportFunction(collectAndLook, page, { defineAs: 'collectAndLook' });
  };
  addEventListener('DOMWindowCreated', leave, true);
}`;
