import { z } from 'zod'
import { appOf, operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { app } from '#lib/console/api/schemas'
import { addKeys, addSecret, removeKey, removeSecret, setKeyAddress } from '#lib/console/app/credentials'
import { text } from '#lib/text/text-rules'
import { answerApp } from './app-view.ts'

/** The secrets and public keys of an app. */
export const credentialOperations = [
  operation({
    id: 'addSecret',
    method: 'POST',
    path: '/apps/{app}/secrets',
    action: 'app.credentials',
    summary: 'Makes a client secret and returns it once; at most two are live',
    answer: { status: 201, schema: z.object({ id: z.string(), client_secret: z.string() }) },
    async run(call) {
      const added = await addSecret(call.context, await appOf(call))
      if ('problems' in added) throw refusedAct(added.problems)
      return { body: { id: added.id, client_secret: added.secret } }
    },
  }),
  operation({
    id: 'removeSecret',
    method: 'DELETE',
    path: '/apps/{app}/secrets/{secret}',
    action: 'app.credentials',
    summary: 'Removes a client secret',
    async run(call) {
      if (!(await removeSecret(call.context, await appOf(call), call.path.secret ?? ''))) throw notFound()
      return {}
    },
  }),
  operation({
    id: 'addKeys',
    method: 'POST',
    path: '/apps/{app}/keys',
    action: 'app.credentials',
    summary: 'Registers public keys, as a JWK set or as PEM; a private key is refused',
    body: z
      .strictObject({ jwks: z.unknown().optional(), pem: text.optional() })
      .refine(({ jwks, pem }) => (jwks === undefined) !== (pem === undefined), { error: 'must have jwks or pem' }),
    answer: { status: 200, schema: app },
    async run(call) {
      const by = await appOf(call)
      const { jwks, pem } = call.body
      const added = await addKeys(call.context, by, pem ?? JSON.stringify(jwks))
      const field = pem === undefined ? 'jwks' : 'pem'
      if ('problems' in added) throw refusedAct(added.problems.map((one) => (one.field ? { ...one, field } : one)))
      return answerApp(call.context, by.app)
    },
  }),
  operation({
    id: 'removeKey',
    method: 'DELETE',
    path: '/apps/{app}/keys/{kid}',
    action: 'app.credentials',
    summary: 'Removes a public key; the last one of an app without jwks_uri stays',
    async run(call) {
      const removed = await removeKey(call.context, await appOf(call), call.path.kid ?? '')
      if (removed === 'unknown') throw notFound()
      if (removed === 'last') throw refusedAct([{ code: 'key_last' }])
      return {}
    },
  }),
  operation({
    id: 'setKeyAddress',
    method: 'PUT',
    path: '/apps/{app}/jwks_uri',
    action: 'app.credentials',
    summary: 'Sets the https address at which the app publishes its keys; empty for none',
    body: z.strictObject({ jwks_uri: text.max(2001) }),
    answer: { status: 200, schema: app },
    async run(call) {
      const by = await appOf(call)
      const set = await setKeyAddress(call.context, by, call.body.jwks_uri)
      if ('problems' in set) throw refusedAct(set.problems)
      return answerApp(call.context, by.app)
    },
  }),
]
