/**
 * Returns a file of this package from the call stack, as a path or a URL. `import.meta.url` is a syntax error in
 * CommonJS, to which Jest compiles this module, and bundlers replace it by the original path of the file.
 */
export function findOwnFile(): string | undefined {
  const { prepareStackTrace } = Error
  try {
    Error.prepareStackTrace = (_, [site]) => site?.getFileName()
    const file: unknown = new Error().stack
    return typeof file === 'string' && /^(?:file:|\/|[a-z]:\\)/i.test(file) ? file : undefined
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
}
