import type { CompleteService, ServiceOperation } from '../../store/port.js'
import { expectRejection } from '../assertions.js'
import type { ContractCase } from '../contract-case.js'
import { listModelViolations, type ModelViolation } from './model-violations.js'

/**
 * Creates a case for every constraint of the model: a request that violates only this constraint is rejected with the
 * service's message.
 */
export function violationCases(): ContractCase[] {
  return listModelViolations().map(violation => ({
    name: `a request that breaks ${violation.id} is rejected`,
    operation: methodOf(violation),
    covers: [violation.id],
    run: ({ service }) =>
      expectRejection(
        callOperation(service, methodOf(violation), violation.request),
        violation.error,
        violation.message,
      ).then(() => undefined),
  }))
}

function methodOf({ operation }: ModelViolation): ServiceOperation {
  return (operation.charAt(0).toLowerCase() + operation.slice(1)) as ServiceOperation
}

async function callOperation(service: CompleteService, operation: ServiceOperation, request: object): Promise<unknown> {
  return service[operation](request as never)
}
