import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

// Pages of ours show videos and copy pictures; nothing else that a browser can do is theirs, nor anybody's inside them.
const PERMISSIONS = [
  'autoplay=(self), clipboard-write=(self), fullscreen=(self), picture-in-picture=(self)',
  'accelerometer=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), gyroscope=(), magnetometer=()',
  'microphone=(), midi=(), payment=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()',
].join(', ');

// What is not named is not there: frames, workers, plug-ins.
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'media-src': "'self' blob:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

// The rest is what helmet 8 sends, the project that keeps such a list.
const HEADERS = {
  'permissions-policy': PERMISSIONS,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** The security headers of every answer, written once; a route may narrow it. */
export function listHeaders(publicOrigin: string | undefined): Record<string, string> {
  const isHttps = publicOrigin?.startsWith('https:') === true;
  return {
    ...HEADERS,
    'content-security-policy': writePolicy(''),
    // Only a browser that came over https can use it; a loopback address stays plain.
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** A page's policy: style elements by hash, no `style` attributes. `more` replaces directives by name. */
export function writePolicy(html: string, more: Partial<Record<keyof typeof POLICY, string>> = {}): string {
  const hashes = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => {
    return ` 'sha256-${hash('sha256', style, 'base64')}'`;
  });
  return Object.entries({ ...POLICY, ...more })
    .map(([name, sources]) => `${name} ${sources}${name === 'style-src' ? hashes.join('') : ''}`)
    .join(';');
}

/** Sends a page that the server writes itself. */
export function sendHtml(reply: FastifyReply, html: string, more?: Parameters<typeof writePolicy>[1]): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', writePolicy(html, more)).send(html);
}
