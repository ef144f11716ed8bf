import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

// Pages of ours show videos and copy pictures; nothing else that a browser can do is theirs, nor anybody's inside them.
const PERMISSIONS = [
  ...['autoplay', 'clipboard-write', 'fullscreen', 'picture-in-picture'].map((name) => `${name}=(self)`),
  ...['accelerometer', 'camera', 'display-capture', 'encrypted-media', 'geolocation', 'gyroscope'].map(shut),
  ...['magnetometer', 'microphone', 'midi', 'payment', 'screen-wake-lock', 'usb', 'xr-spatial-tracking'].map(shut),
].join(', ');

function shut(name: string): string {
  return `${name}=()`;
}

/** What every answer tells a browser about what it may do; a route may narrow it. */
export async function addHeaders(http: FastifyInstance, publicOrigin: string | undefined): Promise<void> {
  await http.register(helmet, helmetOptions(publicOrigin));
  http.addHook('onRequest', async (_request, reply) => {
    reply.header('Permissions-Policy', PERMISSIONS);
  });
}

function helmetOptions(publicOrigin: string | undefined) {
  const isHttps = publicOrigin?.startsWith('https:') === true;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        // What is not named is not there: frames, workers, plug-ins.
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    frameguard: { action: 'deny' as const },
    crossOriginEmbedderPolicy: false,
    // Only a browser that came over https can use it; a loopback address stays plain.
    originAgentCluster: true,
  };
}
