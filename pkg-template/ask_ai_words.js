// The sentence that comes with every answer of `askAi`: what became of the question, and whose words these are.

const REASONS = {
  deadline: 'The AI service did not answer in time.',
  unavailable: 'The AI service is not available at the moment.',
  'circuit-open': 'The AI service has been failing and is left alone for a moment.',
  refused: 'The AI service declined to answer this.',
  truncated: 'The answer was cut off at a length limit.',
  error: 'The AI service could not answer this.',
};

/** Where more is known. */
const KINDS = {
  context_length: 'The text is too long for the AI service: shorten or split it.',
  quota: 'The quota for AI answers is used up.',
  auth: 'The AI service does not let this page in.',
  rate_limited: 'The AI service is busy; try again in a moment.',
  overloaded: 'The AI service is busy; try again in a moment.',
  too_large: 'The answer is too long to be read.',
};

const SOURCES = {
  model: 'What has come of the answer is not all of it.',
  'backup-model': 'This answer comes from a backup model.',
  cache: 'This is an earlier answer.',
  plain: 'This was put together without AI.',
  none: 'There is no answer.',
};

const OUTCOMES = {
  complete: 'The answer is complete.',
  tool_calls: 'The AI service waits for the results of its calls.',
  unknown: 'The service did not say whether this is the whole answer.',
};

/** `source` and `failure` are those of `AiAnswer`. */
export function sentence(source, result, failure) {
  if (!failure) return OUTCOMES[result.outcome];
  return `${(result && KINDS[result.errorKind]) || REASONS[failure.reason]} ${SOURCES[source]}`;
}
