import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://127.0.0.1:${process.env.PLINTH_API_PORT ?? 8080}`;
const toServer = ['/api', '/auth/google', '/local-google', '/sandbox', '/webhooks'];

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    // The origin stays the browser's, so that the server's cross-site check sees what it will see in production.
    proxy: Object.fromEntries(toServer.map((path) => [path, { target: api, changeOrigin: false }])),
  },
  build: {
    assetsDir: 'assets',
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: {
      // zod and its setting in one file, so that the setting is made before the first schema of any other file.
      output: { codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod|no-eval/ }] } },
    },
  },
});
