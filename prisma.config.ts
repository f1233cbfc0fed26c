import { defineConfig } from 'prisma/config'

// The CLI would look for a native engine on the internet; generate and validate run in WebAssembly and never start it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })
