// The bill of materials of a release, in CycloneDX 1.6.
import { createHash } from 'node:crypto'
import { runtimePackages } from './packages.mjs'

/**
 * Returns the bill of materials. The same lock always gives the same document: `made` is the time of the commit, and
 * the serial number is derived from the content.
 */
export function billOfMaterials({ own, lock, made }) {
  const { first, packages } = runtimePackages(lock)
  const refs = new Map(packages.map(({ path, name, entry }) => [path, packageUrl(name, entry.version)]))
  // A package that is installed in two folders is one component.
  const components = new Map(packages.map((one) => [refs.get(one.path), componentOf(one, refs.get(one.path))]))
  const main = `${own.name}@${own.version}`
  const edges = new Map([[main, new Set(first.map((path) => refs.get(path)))]])
  for (const { path, needs } of packages) {
    const ref = refs.get(path)
    edges.set(ref, new Set([...(edges.get(ref) ?? []), ...needs.map((one) => refs.get(one))]))
  }
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: made.toISOString(),
      component: {
        type: 'application',
        'bom-ref': main,
        name: own.name,
        version: own.version,
        licenses: licensesOf(own.license),
      },
    },
    components: [...components.values()].sort(byRef),
    dependencies: [...edges].map(([ref, on]) => ({ ref, dependsOn: [...on].sort() })).sort(byRef),
  }
  return { ...document, serialNumber: serialNumber(document) }
}

function componentOf({ name, entry }, ref) {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group && { group }),
    name: short,
    version: entry.version,
    purl: ref,
    licenses: licensesOf(entry.license),
    hashes: hashesOf(entry.integrity),
    externalReferences: [{ type: 'distribution', url: entry.resolved }],
  }
}

const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const licensesOf = (license) => (license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }])

function hashesOf(integrity) {
  const [, encoded] = /^sha512-(\S+)$/.exec(integrity)
  return [{ alg: 'SHA-512', content: Buffer.from(encoded, 'base64').toString('hex') }]
}

/** Returns a UUID of version 8 (RFC 9562) from the digest of the document. */
function serialNumber(document) {
  const digest = createHash('sha256').update(JSON.stringify(document)).digest()
  digest[6] = (digest[6] & 0x0f) | 0x80
  digest[8] = (digest[8] & 0x3f) | 0x80
  const hex = digest.toString('hex', 0, 16)
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}

const byRef = (a, b) => ((a['bom-ref'] ?? a.ref) < (b['bom-ref'] ?? b.ref) ? -1 : 1)
