import { InterceptingCall, Metadata, status, type Interceptor, type Requester } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/**
 * Calls to Temporal are tried again as its client does by itself. One that waits for its next try while the connection is closed
 * ends as cancelled: by itself, the client throws then in a timer, where nobody can catch it, and the process dies.
 */
export function retryInterceptors(): Interceptor[] {
  return [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelWhereClosed];
}

const cancelWhereClosed: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return cancelledCall(error instanceof Error ? error.message : String(error));
  }
};

/** A call that reaches nobody: nothing is passed on, and its answer is that it was cancelled. */
function cancelledCall(details: string): InterceptingCall {
  const nobody = {} as InterceptingCall;
  const requester: Requester = {
    start: (_metadata, listener) => {
      // The client expects an answer before the status, as from a server.
      listener.onReceiveMessage(null);
      listener.onReceiveStatus({ code: status.CANCELLED, details, metadata: new Metadata() });
    },
    sendMessage: () => undefined,
    halfClose: () => undefined,
    cancel: () => undefined,
  };
  return new InterceptingCall(nobody, requester);
}
