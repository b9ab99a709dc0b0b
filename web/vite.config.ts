import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const SERVER = process.env.DATAAGENT_URL ?? "http://127.0.0.1:8000";
const STATIC = "../libs/dataagent-server/dataagent_server/api/console/static";

export default defineConfig({
  // Relative to <base href>, which the server writes: the console works below any path.
  base: "./",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: STATIC,
    emptyOutDir: true,
    target: "es2023",
    // They know light-dark(), which older ones would be given in a form that needs color-scheme in CSS.
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    // Every page is a chunk of its own; a warning at Vite's 500 KB would only say "Vega".
    chunkSizeWarningLimit: 1600,
    manifest: "manifest.json",
  },
  server: {
    // With the browser's own Host, so that the server takes the page for its own.
    proxy: { "/api": { target: SERVER }, "/ws": { target: SERVER.replace("http", "ws"), ws: true } },
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    // Loading antd and React for every file took four fifths of the time; setup.ts keeps files apart.
    pool: "threads",
    isolate: false,
  },
});
