# The command `rosenblatt`, without root and with nothing to write but what you ask for:
#
#   docker build -t rosenblatt .
#   docker run --rm --read-only --tmpfs /tmp rosenblatt fit iris
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD:/data" --user "$(id -u):$(id -g)" rosenblatt fit table.csv -o model.rosenblatt
#
# --tmpfs is for large files and pictures, which want room for what they make on their way.

FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src src
RUN python -m venv /opt/rosenblatt \
    && /opt/rosenblatt/bin/python -m pip install --no-cache-dir -c constraints.txt ".[plot,mail]" \
    && /opt/rosenblatt/bin/python -m compileall -q /opt/rosenblatt/lib

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 rosenblatt
COPY --from=build /opt/rosenblatt /opt/rosenblatt
# Kernels that are compiled here are there in each run, on processors like this one; on others they
# are compiled anew, and kept in memory
ENV PATH=/opt/rosenblatt/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    MPLCONFIGDIR=/tmp/matplotlib \
    NUMBA_CACHE_DIR=/opt/rosenblatt/kernels
RUN rosenblatt fit iris >/dev/null && rosenblatt fit breast-cancer >/dev/null
USER rosenblatt
WORKDIR /data
ENTRYPOINT ["rosenblatt"]
CMD ["--help"]
