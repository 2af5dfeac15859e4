// Redirects clasp's requests for Google's servers to the fake API at SCRIPT_API. Node loads this module before the code
// of clasp.
import http from 'node:http';
import https from 'node:https';

https.request = (address, options, answered) => {
  const { host, pathname, search } = new URL(address);
  return http.request(
    new URL(pathname + search, process.env.SCRIPT_API),
    {
      ...options,
      headers: { ...options.headers, 'x-asked-host': host },
    },
    answered,
  );
};
