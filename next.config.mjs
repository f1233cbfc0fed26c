import createNextIntlPlugin from 'next-intl/plugin'

const withLanguages = createNextIntlPlugin('./lib/web/i18n.ts')

export default withLanguages({
  // The front door rewrites pages before they leave, so it needs them uncompressed.
  compress: false,
  poweredByHeader: false,
  // `npm test` checks all types; a build must not stop at one in a test.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  experimental: { preloadEntriesOnStart: false },
})
