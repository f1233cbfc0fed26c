import type { AboutReply } from './rewrite-reply.ts'

/** What a reply is rewritten with, as it can be handed to another thread. */
export type RewriteJob = Omit<AboutReply, 'mapMessageId'> & { knownIds: Map<string, string | undefined> }
