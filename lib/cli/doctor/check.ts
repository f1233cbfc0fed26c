/** One result of `doctor`; `fix` tells the operator how to correct a problem. */
export type Finding = { name: string; state: 'ok' | 'warning' | 'wrong'; message: string; fix?: string }

export const ok = (name: string, message: string): Finding => ({ name, state: 'ok', message })

export const warning = (name: string, message: string, fix: string): Finding => ({
  name,
  state: 'warning',
  message,
  fix,
})

export const wrong = (name: string, message: string, fix: string): Finding => ({ name, state: 'wrong', message, fix })
