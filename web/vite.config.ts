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

/** While developing: the addresses of public pages get the public entry, as the server does it with the build. */
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
 * sonner writes its sheet into the page, which the page's policy forbids; above/toaster.css imports the same sheet as a
 * file.
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
 * What nobody asks zod for in a browser, a quarter of it: every schema could also write itself as JSON Schema, which
 * only the server does, and say in English what is wrong with an answer.
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

/** Files of the app's entry: whoever imports a screen has them, so that no list of what to fetch need name them. */
const ALWAYS_THERE = /\/(react|zod|tanstack|ErrorScreen|errors|useApi)-/;

export default defineConfig({
  plugins: [speak(process.env.PLINTH_CATALOGUE), react(), servePublicPages(), takeOutStyles(), takeOutOfZod()],
  resolve: {
    // Data of the engine that the start page's try-out works with: its network and two scenes, once in the repository.
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
    // The origin stays the browser's, so that the server's cross-site check sees what it will see in production.
    proxy: Object.fromEntries(toServer.map((path) => [path, { target: api, changeOrigin: false }])),
  },
  build: {
    assetsDir: 'assets',
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    // On a public page a preloaded script would compete with the hero picture; measured, 0.4 s on a slow line.
    // Without Vite's polyfill (every browser of the target knows modulepreload) the public entry is one file.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, deps, { hostId, hostType }) => {
        if (hostId.endsWith('public.html')) return [];
        return hostType === 'js' ? deps.filter((file) => !ALWAYS_THERE.test(file)) : deps;
      },
    },
    rolldownOptions: {
      // The third is asked for by the name that the build notes on each public page.
      input: ['index.html', 'public.html', 'src/public/hydration.tsx'],
      preserveEntrySignatures: 'exports-only',
      output: {
        codeSplitting: {
          groups: [
            // zod and its setting in one file, so that the setting is made before the first schema of any other file.
            { name: 'zod', test: /node_modules[\\/]zod|platform[\\/]no-eval/ },
            // The public pages take React alone, with the hook that hears the window.
            { name: 'react', test: /node_modules[\\/]react[\\/]|platform[\\/]useWindowEvent/ },
            // What every screen of the app takes, in one file: several KB smaller than in ten.
            { name: 'tanstack', test: /node_modules[\\/](@tanstack|use-sync-external-store|zustand)[\\/]/ },
          ],
        },
      },
    },
  },
});
