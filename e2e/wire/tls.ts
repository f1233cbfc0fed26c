import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A self-signed certificate. `file` has the certificate as NODE_EXTRA_CA_CERTS expects it. */
export type Certificate = { key: Buffer; cert: Buffer; file: string }

/** Makes a certificate for these host names in a folder. */
export function makeCertificate(folder: string, names: string[]): Certificate {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const hosts = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`
  const files = ['-subj', `/CN=${names[0]}`, '-addext', hosts, '-keyout', key, '-out', cert]
  execFileSync('openssl', [...made, ...files], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert), file: cert }
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/**
 * Opens an HTTPS server on a free port of loopback. The back-channel endpoints of apps use it too
 * (`https://localhost:PORT`).
 */
export async function openTls({ key, cert }: Certificate, handler: Handler) {
  // By default, Node ends a connection after five idle seconds. A test that pauses for longer would then send its next
  // request on a closed connection.
  const server = createServer({ key, cert, keepAliveTimeout: 0 }, handler)
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/**
 * Opens a TLS terminator like the one that an operator runs in front of Postern. It forwards each host to its port,
 * keeps the header fields as they came, and appends the address of the client to X-Forwarded-For.
 */
export async function openTerminator(certificate: Certificate, ports: Record<string, number>) {
  const agent = new Agent({ keepAlive: true })
  const server = await openTls(certificate, (incoming, outgoing) => {
    const { method, url: path, headers, socket } = incoming
    const hops = [headers['x-forwarded-for'], socket.remoteAddress].flat().filter(Boolean).join(', ')
    const forwarded = forwardedFields(fieldsOf(incoming), ['x-forwarded-for', hops, 'x-forwarded-proto', 'https'])
    const port = ports[headers.host ?? '']
    const onward = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, fieldsOf(answer).filter(isEndToEnd).flat())
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  return {
    port: server.port,
    close() {
      server.close()
      agent.destroy()
    },
  }
}

type Fields = [name: string, value: string][]

const fieldsOf = ({ rawHeaders }: IncomingMessage): Fields =>
  rawHeaders.flatMap((name, at): Fields => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []))

/**
 * Keep-Alive concerns one connection, so a proxy does not forward it (RFC 9110 §7.6.1). Connection is forwarded, because
 * tests look at it.
 */
const isEndToEnd = ([name]: [string, string]) => !/^keep-alive$/i.test(name)

/**
 * Returns the header fields as a flat list of names and values, the form that Node expects, without those that the
 * terminator replaces.
 */
const forwardedFields = (fields: Fields, own: string[]) => [
  ...fields.filter(([name]) => !/^(x-forwarded-|forwarded$)/i.test(name)).flat(),
  ...own,
]
