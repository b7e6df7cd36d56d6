interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

/** Packages for other platforms that the lock leaves out, so that `npm ci` refuses it; `npm run lock` adds them. */
export function missingFromLock({ packages }: Lock): string[] {
  const wanted = Object.values(packages).flatMap(entry => Object.keys(entry.optionalDependencies ?? {}))
  return wanted.filter(name => !Object.hasOwn(packages, `node_modules/${name}`))
}
