import { fileURLToPath } from 'node:url';
import globalData from '@csstools/postcss-global-data';
import react from '@vitejs/plugin-react';
import customMedia from 'postcss-custom-media';
import { defineConfig, type Plugin } from 'vite';
import { speak } from './sentences/plugin.ts';

const api = `http://127.0.0.1:${process.env.PLINTH_API_PORT ?? 8080}`;
const toServer = ['/api', '/auth/google', '/local-google', '/sandbox', '/webhooks'];
const ROUTES = '/src/routes.tsx';
const BREAKPOINTS = fileURLToPath(new URL('src/ui/breakpoints.css', import.meta.url));

/** Development only: serves the public entry at public addresses, as the server does with the build. */
function servePublicPages(): Plugin {
  return {
    name: 'public-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = request.url?.split('?')[0];
        const isPage = request.headers.accept?.includes('text/html') === true;
        if (!isPage) return next();
        server.ssrLoadModule(ROUTES).then(({ publicRoutes }) => {
          const isPublic = (publicRoutes as { path: string }[]).some((route) => route.path === path);
          if (isPublic) request.url = '/public.html';
          next();
        }, next);
      });
    },
  };
}

/**
 * sonner injects its style sheet, which the page's policy forbids; above/toaster.css imports the same sheet as a file.
 */
function takeOutStyles(): Plugin {
  return {
    name: 'sonner-styles',
    transform(code, id) {
      if (!id.endsWith('/sonner/dist/index.mjs')) return undefined;
      const rest = code.replace(/^__insertCSS\(".*"\);$/m, '');
      if (rest === code) throw new Error('sonner writes its styles in another way now');
      return { code: rest, map: null };
    },
  };
}

/**
 * Parts of zod that a browser never uses, a quarter of it: JSON Schema output, which only the server needs, and English
 * error messages.
 */
function takeOutOfZod(): Plugin {
  const left = /\/zod\/v4\/(core\/(json-schema-processors|to-json-schema)|locales\/en)\.js$/;
  return {
    name: 'smaller-zod',
    transform(code, id) {
      if (!left.test(id)) return undefined;
      if (id.endsWith('en.js')) return { code: 'export default () => ({});', map: null };
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      return { code: names.map((name) => `export const ${name} = () => undefined;`).join('\n'), map: null };
    },
  };
}

/** Files of the app's entry: every screen has them already, so no preload list names them. */
const ALWAYS_THERE = /\/(react|zod|tanstack|ErrorScreen|errors|useApi)-/;

export default defineConfig({
  plugins: [speak(process.env.PLINTH_CATALOGUE), react(), servePublicPages(), takeOutStyles(), takeOutOfZod()],
  resolve: {
    // Engine data used by the start page's try-out: its network and two scenes, stored once in the repository.
    alias: {
      'engine-assets': fileURLToPath(new URL('../engine/assets', import.meta.url)),
      // Reads the same without `new Function`, which the content security policy forbids.
      'cbor-x': 'cbor-x/index-no-eval',
    },
  },
  css: { postcss: { plugins: [globalData({ files: [BREAKPOINTS] }), customMedia()] } },
  worker: { format: 'es' },
  optimizeDeps: { exclude: ['onnxruntime-web'] },
  server: {
    // Keeps the browser's origin, so that the server's cross-site check sees the same as in production.
    proxy: Object.fromEntries(toServer.map((path) => [path, { target: api, changeOrigin: false }])),
  },
  build: {
    assetsDir: 'assets',
    target: 'es2023',
    assetsInlineLimit: 0,
    // In kB: the largest is the HEIC decoder, which a worker loads when it is needed.
    chunkSizeWarningLimit: 2048,
    manifest: 'manifest.json',
    // On a public page a preloaded script would compete with the hero picture; measured, 0.4 s on a slow connection.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, deps, { hostId, hostType }) => {
        if (hostId.endsWith('public.html')) return [];
        return hostType === 'js' ? deps.filter((file) => !ALWAYS_THERE.test(file)) : deps;
      },
    },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // The third is loaded by the name that the build writes on each public page.
      input: ['index.html', 'public.html', 'src/public/hydration.tsx'],
      preserveEntrySignatures: 'exports-only',
      output: {
        codeSplitting: {
          groups: [
            // zod and its setting in one file, so that the setting is made before the first schema of any other file.
            { name: 'zod', test: /node_modules[\\/]zod|platform[\\/]no-eval/ },
            // Public pages need only React and the window-event hook.
            { name: 'react', test: /node_modules[\\/]react[\\/]|platform[\\/]useWindowEvent/ },
            // What every screen of the app imports, in one file: several KB smaller than in ten.
            { name: 'tanstack', test: /node_modules[\\/](@tanstack|use-sync-external-store|zustand)[\\/]/ },
          ],
        },
      },
    },
  },
});
