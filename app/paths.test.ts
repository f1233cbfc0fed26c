import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpointFolders, isEndpoint, pageFolders, sharedFolders, stepFolders, templateOf } from './paths.ts'

describe('app/paths.ts', () => {
  const foldersOf = (name: string) =>
    globSync([`app/${name}`, `app/**/${name}`, `app/**/.well-known/**/${name}`]).map((file) =>
      file.slice('app/'.length).replace(/\/?[^/]+$/, ''),
    )

  it('lists the folder of every route handler except those on both hosts', () => {
    const folders = foldersOf('route.ts').filter((folder) => !sharedFolders.includes(folder))
    expect([...endpointFolders, ...stepFolders].toSorted()).toEqual([...new Set(folders)].toSorted())
  })

  it('lists the folder of every page', () => {
    expect(pageFolders.toSorted()).toEqual([...new Set(foldersOf('page.tsx'))].toSorted())
  })

  it('gives the issuer only the endpoints of the protocol', () => {
    expect(stepFolders.filter((folder) => /^(oauth2|userinfo|avatars|\.well-known)/.test(folder))).toEqual([])
    const endpoints = endpointFolders.map((folder) => templateOf(folder).replaceAll('{}', 'x'))
    const others = [...stepFolders, ...pageFolders].map((folder) => templateOf(folder).replaceAll('{}', 'x'))
    expect(endpoints.filter((path) => !isEndpoint(path))).toEqual([])
    expect(others.filter(isEndpoint)).toEqual([])
  })
})
