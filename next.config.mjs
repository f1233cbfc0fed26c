import createNextIntlPlugin from 'next-intl/plugin'

const withLanguages = createNextIntlPlugin('./app/_page/i18n.ts')

// Nothing leaves the machine about who runs this, however Next was started (security checklist, "Deployment").
process.env.NEXT_TELEMETRY_DISABLED = '1'

export default withLanguages({
  // The front door rewrites pages before they leave, so it needs them uncompressed.
  compress: false,
  poweredByHeader: false,
  // `npm test` checks all types; a build must not stop at one in a test.
  typescript: { ignoreBuildErrors: true },
  // It would take 127.0.0.1 for localhost, which may be the other host (proxy.ts).
  skipProxyUrlNormalize: true,
  images: { unoptimized: true },
  experimental: { preloadEntriesOnStart: false },
})
