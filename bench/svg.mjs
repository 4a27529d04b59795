// What all plots have in common: no fonts and no colours from elsewhere.

export const COLOURS = ['#1f6feb', '#e8710a', '#2da44e', '#8250df', '#cf222e'];

export const escape = (text) => String(text).replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);

export const svg = (width, height, parts) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="#24292f">
<rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
