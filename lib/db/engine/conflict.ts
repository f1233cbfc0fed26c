/** Whether a write was refused because such a row exists; which one is for the question asked, not the message, to say. */
export const isUniqueConflict = (fault: unknown): boolean => (fault as { code?: unknown }).code === 'P2002'
