// `AiResult` of the public contract, in JavaScript because an object made from Rust costs a crossing a member.

export function result(outcome, text, partialText, finishReason, provider, errorKind, retryable, retryAfterMs, inputTokens, outputTokens) {
  const usage = inputTokens === undefined && outputTokens === undefined
    ? null
    : { inputTokens: orNull(inputTokens), outputTokens: orNull(outputTokens) };
  return {
    outcome, text: orNull(text), partialText, finishReason: orNull(finishReason), provider,
    errorKind: orNull(errorKind), retryable, retryAfterMs: orNull(retryAfterMs), usage,
  };
}

const orNull = (value) => (value === undefined ? null : value);
