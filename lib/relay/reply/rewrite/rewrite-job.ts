import type { AboutReply } from './rewrite-reply.ts'

/** The input of a rewrite in a form that can be sent to another thread. */
export type RewriteJob = Omit<AboutReply, 'mapMessageId'> & { knownIds: Map<string, string | undefined> }
