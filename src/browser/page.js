// A page answered where data was asked for. SharePoint sends an expired session to a sign-in page and a heavily throttled
// one to `Throttle.htm`, both with status 200. Told by final address and content type, never by the body. This is
// JavaScript because nearly every answer is none: the address need not cross to say so.

import { field, text } from './answer.js';

/** `Page` of page.rs, in its order. */
export const PAGES = ['login', 'throttle', 'html'];

/** Hosts that only sign people in. */
const LOGIN_HOSTS = ['microsoftonline.com', 'microsoftonline.us', 'chinacloudapi.cn', 'partner.microsoftonline.cn', 'live.com'];
/** Paths of SharePoint that sign people in. */
const LOGIN_PATHS = ['/_forms/default.aspx', '/_layouts/15/authenticate.aspx', '/_login/', '/_windows/default.aspx'];

/** The API's address says that data is asked for, or an `Accept` that names JSON. */
const asksForData = ({ url, accept }) => /\/_(api|vti_bin)\//i.test(url) || /json/i.test(accept);

/** The kind of page that answered a call for data; undefined where it is none. */
export function pageOf(call) {
  if (!asksForData(call)) return undefined;
  const address = (text(call.answer, 'url') || '').split(/[?#]/, 1)[0].toLowerCase();
  // The version folder between the two varies.
  if (address.includes('/_layouts/') && address.endsWith('/throttle.htm')) return 'throttle';
  // `https://host/path`: the host is what stands between the second and the third slash.
  const [, , host = ''] = address.split('/', 3);
  if ((host.startsWith('login.') && LOGIN_HOSTS.includes(host.slice(6))) || LOGIN_PATHS.some((path) => address.includes(path))) return 'login';
  return /text\/html|application\/xhtml/i.test(field(call.answer, 'content-type')) ? 'html' : undefined;
}

/** Its place among `PAGES`; -1 where it is none. */
export const pageNumber = (call) => PAGES.indexOf(pageOf(call));
