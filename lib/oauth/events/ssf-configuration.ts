import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/lean'

/**
 * Answers with the transmitter's configuration (SSF 1.0 §7.1). The team of an app registers the receiver in the developer
 * console, so there are no endpoints for streams, subjects and verification.
 */
export const ssfConfiguration = ({ issuer }: { issuer: string }): Response =>
  textResponse(JSON.stringify(describeTransmitter(issuer)), {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', ...openToBrowsers },
  })

const describeTransmitter = (issuer: string) => ({
  spec_version: '1_0',
  issuer,
  jwks_uri: `${issuer}/oauth2/jwks`,
  delivery_methods_supported: ['urn:ietf:rfc:8935'],
  // A receiver gets the events of every person with a live authorization of its app.
  default_subjects: 'ALL',
})
