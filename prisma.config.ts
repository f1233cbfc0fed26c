import { defineConfig } from 'prisma/config'

// The CLI would download a native engine. `generate` and `validate` run in WebAssembly and never start it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })
