// What one would write in JavaScript for the same purpose: a chain of regular expressions, each compiled once and anchored
// where it can be. It does what the three promises of `normalizeUrl` say (GUID, number, quoted literal), and the usual
// rest: sites, people, mail addresses, files, long tokens. It does not do the careful cases.

const ORIGIN = /^(?:https?:)?\/\/[^/?#]*/i;
const QUERY = /[?#].*$/s;
const LITERAL = /'(?:[^']|'')*'/g;
const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const SITE = /^\/(sites|teams)\/[^/]+/i;
const PERSONAL = /^\/personal\/[^/]+/i;
const MAIL = /(?<=[/(])[^/@()]+(?:@|%40)[^/@()]+\.[a-z]+/gi;
const SHARING = /^\/:[a-z]:\/.*/i;
const FILE = /\/[^/]+\.(?:docx?|xlsx?|pptx?|pdf|txt|csv|png|jpe?g|gif|zip|msg|one)$/i;
const DATE = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?/g;
const TOKEN = /(?<=\/)(?=[^/]*\d)[A-Za-z0-9_-]{20,}(?=\/|$)/g;
const NUMBER = /(?<=[/(=,])\d+(?=[/),]|$)/g;
const USERS = /\/(users|members|people)\/(?!\{)[^/]+/gi;

export function regexChain(url) {
  return url
    .replace(ORIGIN, '')
    .replace(QUERY, '')
    .replace(LITERAL, '{s}')
    .replace(GUID, '{id}')
    .replace(SITE, '/$1/{site}')
    .replace(PERSONAL, '/personal/{user}')
    .replace(MAIL, '{upn}')
    .replace(SHARING, '/{share}')
    .replace(FILE, '/{file}')
    .replace(DATE, '{date}')
    .replace(TOKEN, '{id}')
    .replace(NUMBER, '{n}')
    .replace(USERS, '/$1/{id}');
}
