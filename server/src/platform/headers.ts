import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

// Pages of ours show videos and copy pictures; nothing else that a browser can do is theirs, nor anybody's inside them.
const PERMISSIONS = [
  ...['autoplay', 'clipboard-write', 'fullscreen', 'picture-in-picture'].map((name) => `${name}=(self)`),
  ...['accelerometer', 'camera', 'display-capture', 'encrypted-media', 'geolocation', 'gyroscope'].map(shut),
  ...['magnetometer', 'microphone', 'midi', 'payment', 'screen-wake-lock', 'usb', 'xr-spatial-tracking'].map(shut),
].join(', ');

function shut(name: string): string {
  return `${name}=()`;
}

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

/** What every answer tells a browser about what it may do; a route may narrow it. */
export async function addHeaders(http: FastifyInstance, publicOrigin: string | undefined): Promise<void> {
  await http.register(helmet, helmetOptions(publicOrigin));
  const policy = writePolicy('');
  http.addHook('onRequest', async (_request, reply) => {
    reply.header('Permissions-Policy', PERMISSIONS).header('Content-Security-Policy', policy);
  });
}

/**
 * The policy of a page: what is allowed everywhere, and the style elements that stand in it, by their hashes. Attributes
 * `style="…"` stay forbidden, and so does what is changed on the way. `more` replaces directives by name.
 */
export function writePolicy(html: string, more: Partial<Record<keyof typeof POLICY, string>> = {}): string {
  const hashes = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => {
    return ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  });
  return Object.entries({ ...POLICY, ...more })
    .map(([name, sources]) => `${name} ${sources}${name === 'style-src' ? hashes.join('') : ''}`)
    .join(';');
}

/** Sends a page that the server writes itself. */
export function sendHtml(reply: FastifyReply, html: string, more?: Parameters<typeof writePolicy>[1]): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', writePolicy(html, more)).send(html);
}

function helmetOptions(publicOrigin: string | undefined) {
  const isHttps = publicOrigin?.startsWith('https:') === true;
  return {
    contentSecurityPolicy: false,
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    frameguard: { action: 'deny' as const },
    crossOriginEmbedderPolicy: false,
    // Only a browser that came over https can use it; a loopback address stays plain.
    originAgentCluster: true,
  };
}
