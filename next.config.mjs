import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'

// Sends no telemetry, however Next was started (security checklist, "Deployment").
process.env.NEXT_TELEMETRY_DISABLED = '1'

const settings = {
  // The front door rewrites pages before it sends them, so it needs them uncompressed.
  compress: false,
  poweredByHeader: false,
  // `npm test` checks all types; a type error in a test must not stop a build.
  typescript: { ignoreBuildErrors: true },
  // The normalization would replace 127.0.0.1 by localhost, which may be the other host (proxy.ts).
  skipProxyUrlNormalize: true,
  images: { unoptimized: true },
  // One source gives one build: the same addresses of scripts on each node, and the same release.
  generateBuildId: () => process.env.POSTERN_BUILD_ID ?? null,
  experimental: {
    preloadEntriesOnStart: false,
    // A page loads the styles of its area, not those of every page. `requestCost` is the price of one more file in bytes.
    cssChunking: { type: 'graph', requestCost: 20_000 },
  },
}

/** The plugin is for the build alone: it loads compilers, which a release does not have. */
export default async function configure(phase) {
  if (phase === PHASE_PRODUCTION_SERVER) return settings
  const { default: createNextIntlPlugin } = await import('next-intl/plugin')
  return createNextIntlPlugin('./app/_page/i18n.ts')(settings)
}
