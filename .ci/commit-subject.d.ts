export function subjectFault(subject: string): string | undefined
