"""Writers of artefacts: assemblers per target language, schema and vectors of inputs."""
