// A measured number, for whoever reads the run; no test judges it.

export function note(text) {
  window.report.notes.push(text);
}
