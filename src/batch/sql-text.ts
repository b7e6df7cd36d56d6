/** A text as a literal of DuckDB, where SQL allows no expression, as in the name of a file. */
export const sqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * A text as an expression of SQL. Engines disagree about quotes and backslashes within a literal, so both are written as
 * character codes.
 */
export function sqlText(text: string): string {
  if (!/['\\]/.test(text)) return `'${text}'`
  const parts = text.split(/(['\\])/).filter(part => part !== '')
  return `concat(${parts.map(part => (part === "'" ? 'chr(39)' : part === '\\' ? 'chr(92)' : `'${part}'`)).join(', ')})`
}

/** A number as a DOUBLE of SQL. Without an exponent, engines read a decimal of a few digits. */
export const sqlDouble = (value: number): string => value.toExponential()

/** A name of a table or a column. Every name is quoted, since types may be named as words of SQL are. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Names that differ in more than case, since SQL ignores it: the second of `name` and `Name` becomes `Name_2`. Dots, which
 * separate the parts of an id, become underscores.
 */
export function distinctColumns(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map(name => {
    const plain = name.replaceAll('.', '_')
    let free = plain
    for (let number = 2; used.has(free.toLowerCase()); number++) free = `${plain}_${number}`
    used.add(free.toLowerCase())
    return free
  })
}
