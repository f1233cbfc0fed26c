import type { Config } from './config.ts'

/** Where the demo app answers, when an evaluation runs it. */
export const demoUrl = ({ demo, listen }: Pick<Config, 'demo' | 'listen'>): string | undefined =>
  demo ? `http://${listen.demo.host}:${listen.demo.port}` : undefined
