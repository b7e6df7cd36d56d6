// The API reference of every package entry, under its import name.
import { readFileSync } from 'node:fs'

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const entries = Object.entries(exports)
  .filter(([, file]) => file.endsWith('.js'))
  .map(([name, file]) => ({
    name: name.replace('.', 'edgewise'),
    source: file.replace('./dist/', '').replace(/\.js$/, '.ts'),
  }))

/** typedoc names a module by its file: `aws`, `store/contract`. */
const nameOf = module =>
  entries.find(({ source }) => [`${module}.ts`, `${module}/index.ts`].includes(source))?.name ?? module

function named(app) {
  app.converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) module.name = nameOf(module.name)
  })
}

export default {
  name: 'Reference',
  entryPoints: entries.map(({ source }) => `../src/${source}`),
  tsconfig: 'tsconfig.json',
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', named],
  out: 'build/pages/api',
  docsRoot: 'build/pages',
  readme: 'none',
  router: 'member',
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  // The project's compiler checks the types. typedoc uses an older compiler.
  skipErrorChecking: true,
  // Internal types that exported types use have no entries.
  validation: { notExported: false, invalidLink: false },
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  sidebar: { autoConfiguration: true, format: 'vitepress', pretty: false, collapsed: true },
}
