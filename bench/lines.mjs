// The report of a bench whose pages give lines of text.

export const lines = (title, found) =>
  [`## ${title}`, ...Object.entries(found).map(([browser, said]) => `${browser}:\n\n\`\`\`text\n${said.join('\n')}\n\`\`\``)].join('\n\n');
