import createNextIntlPlugin from 'next-intl/plugin'

const withLanguages = createNextIntlPlugin('./app/_page/i18n.ts')

// Sends no telemetry, however Next was started (security checklist, "Deployment").
process.env.NEXT_TELEMETRY_DISABLED = '1'

export default withLanguages({
  // The front door rewrites pages before it sends them, so it needs them uncompressed.
  compress: false,
  poweredByHeader: false,
  // `npm test` checks all types; a type error in a test must not stop a build.
  typescript: { ignoreBuildErrors: true },
  // The normalization would replace 127.0.0.1 by localhost, which may be the other host (proxy.ts).
  skipProxyUrlNormalize: true,
  images: { unoptimized: true },
  experimental: { preloadEntriesOnStart: false },
})
