import OpenAI from 'openai';

export const peer = { name: 'openai', gives: 'JSON', repeats: true };

export function make(fetch) {
  const client = new OpenAI({ apiKey: 'none', baseURL: 'https://contoso.example/v1', dangerouslyAllowBrowser: true, fetch });
  const asked = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] };
  return () => client.chat.completions.create(asked);
}
