// The Vercel AI SDK, found from this folder.

export { createOpenAI } from '@ai-sdk/openai';
export { generateText, streamText } from 'ai';
