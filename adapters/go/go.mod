module tokenassay

go 1.19
