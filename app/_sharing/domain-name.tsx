import { readableDomain } from '#lib/text/domain-name'

/** A domain as DNS has it, after its Unicode form if that cannot deceive. */
export function DomainName({ domain }: { domain: string }) {
  const unicode = readableDomain(domain)
  return (
    <bdi translate="no">
      {unicode ? (
        <>
          {unicode} <small>({domain})</small>
        </>
      ) : (
        domain
      )}
    </bdi>
  )
}
