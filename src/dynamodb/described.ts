/** A part of a request as a response contains it. The AWS SDK declares that each of its members may be undefined. */
export type Described<Part> = Part extends string | number | boolean | undefined
  ? Part
  : Part extends readonly (infer Element)[]
    ? Described<Element>[]
    : { [Name in keyof Part]: Described<Part[Name]> | undefined }
