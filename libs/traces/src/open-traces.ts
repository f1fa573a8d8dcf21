import { NO_TRACES, type Traces } from './traces';

/** Traces that are sent to an OTLP/HTTP endpoint. Without one, OpenTelemetry's packages are not even loaded. */
export async function openTraces(service: string, endpoint: string | null): Promise<Traces> {
  if (endpoint === null) return NO_TRACES;
  const { OtlpTraces } = await import('./otlp-traces.ts');
  return new OtlpTraces(service, endpoint);
}
