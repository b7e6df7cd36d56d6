/** The encodings that answers may have, the preferred one first. */
const ENCODINGS = ['gzip', 'deflate'] as const
export type Encoding = (typeof ENCODINGS)[number]

interface Accepted {
  readonly name: string
  readonly quality: number
}

/**
 * What an answer is encoded by, for a header `Accept-Encoding`, as the service chooses: what is wanted most, of equals
 * the first. A star stands for what is not named, and comes after what is. That it may also be left as it is does not
 * count.
 */
export function acceptedEncoding(header: string): Encoding | undefined {
  const accepted = header.split(',').map(accept)
  const isNamed = (encoding: Encoding) => accepted.some(({ name }) => name === encoding)
  const other = ENCODINGS.find(encoding => !isNamed(encoding))
  let best: Encoding | undefined
  let most = 0
  for (const isStar of [false, true])
    for (const { name, quality } of accepted) {
      const encoding = isStar ? name === '*' && other : ENCODINGS.find(encoding => encoding === name)
      if (!encoding || !(quality > most)) continue
      best = encoding
      most = quality
    }
  return best
}

/** A weight follows the first `q=`, wherever that is; one that is no number is none. */
function accept(entry: string): Accepted {
  const [name = '', ...parameters] = entry.split(';')
  const [, weight] = /q=([^;]*)/.exec(parameters.join(';')) ?? []
  const quality = weight === undefined || weight.trim() === '' ? 1 : Number(weight)
  return { name: name.trim().toLowerCase(), quality: Number.isNaN(quality) ? 1 : Math.min(quality, 1) }
}
