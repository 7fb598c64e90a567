import CardRigCLI
