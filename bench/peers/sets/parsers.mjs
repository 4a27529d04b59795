export { createParser } from 'eventsource-parser';
export { parseRateLimit } from 'ratelimit-header-parser';
