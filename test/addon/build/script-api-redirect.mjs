// This module is loaded before the code of clasp. It sends clasp's requests for Google's servers to the fake at
// SCRIPT_API.
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
