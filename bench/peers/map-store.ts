import type { Adapter, AdapterPayload } from 'oidc-provider'
import { grantable, type PeerStore, type Person } from './store.ts'

/** A store of plain Maps. Nothing survives the process, and no expired entry is removed. */
export function makeMapStore(): PeerStore {
  const people = new Map<string, Person>()
  return {
    adapter: makeAdapter,
    addPeople: (more) => {
      for (const person of more) people.set(person.id, person)
    },
    findPerson: (id) => people.get(id),
    asOne: (work) => work(),
  }
}

function makeAdapter(model: string): Adapter {
  const rows = new Map<string, AdapterPayload>()
  const byUid = new Map<string, string>()
  const byUserCode = new Map<string, string>()
  const byGrant = new Map<string, Set<string>>()
  const find = (id: string | undefined) => (id === undefined ? undefined : rows.get(id))
  return {
    async upsert(id, payload) {
      rows.set(id, payload)
      if (payload.uid) byUid.set(payload.uid, id)
      if (payload.userCode) byUserCode.set(payload.userCode, id)
      if (!payload.grantId || !grantable.has(model)) return
      const members = byGrant.get(payload.grantId)
      if (members) members.add(id)
      else byGrant.set(payload.grantId, new Set([id]))
    },
    find: async (id) => find(id),
    findByUid: async (uid) => find(byUid.get(uid)),
    findByUserCode: async (userCode) => find(byUserCode.get(userCode)),
    async consume(id) {
      const payload = rows.get(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      const payload = rows.get(id)
      rows.delete(id)
      if (payload?.grantId) byGrant.get(payload.grantId)?.delete(id)
    },
    async revokeByGrantId(grantId) {
      for (const id of byGrant.get(grantId) ?? []) rows.delete(id)
      byGrant.delete(grantId)
    },
  }
}
