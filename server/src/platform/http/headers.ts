import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

// Our pages play videos and copy pictures. They and embedded content get no other browser feature.
const PERMISSIONS = [
  'autoplay=(self), clipboard-write=(self), fullscreen=(self), picture-in-picture=(self)',
  'accelerometer=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), gyroscope=(), magnetometer=()',
  'microphone=(), midi=(), payment=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()',
].join(', ');

// Everything else is blocked: frames, workers, plug-ins.
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

// The remaining headers are those of helmet 8.
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

/** The security headers of every response; a route may restrict them further. */
export function listHeaders(publicOrigin: string | undefined): Record<string, string> {
  const isHttps = publicOrigin?.startsWith('https:') === true;
  return {
    ...HEADERS,
    'content-security-policy': writePolicy(''),
    // Only effective over https; a loopback address stays http.
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** A page's Content-Security-Policy: style elements by hash, no `style` attributes. `more` overrides directives. */
export function writePolicy(html: string, more: Partial<Record<keyof typeof POLICY, string>> = {}): string {
  const hashes = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => {
    return ` 'sha256-${hash('sha256', style, 'base64')}'`;
  });
  return Object.entries({ ...POLICY, ...more })
    .map(([name, sources]) => `${name} ${sources}${name === 'style-src' ? hashes.join('') : ''}`)
    .join(';');
}

/** Sends a page rendered by the server. */
export function sendHtml(reply: FastifyReply, html: string, more?: Parameters<typeof writePolicy>[1]): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', writePolicy(html, more)).send(html);
}
